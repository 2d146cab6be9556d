import warnings

import numpy as np
import pytest
import torch

from ludoport.errors import LudoportError
from ludoport.nets.infer import Evaluator
from ludoport.nets.registry import preset
from tests.nets.lively import lively, positions

CONFIG = preset("tiny", 6, 4)


def equal(found, expected):
    torch.testing.assert_close(found[0], expected.policy_logits, rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(found[1], expected.value(), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("name", ["tiny", "paper"])
def test_batches_of_all_sizes_and_boards(name):
    config = preset(name, 6, 4, blocks=2)
    net = lively(config)
    evaluator = Evaluator(net, device="cpu", batch=4)
    for count, height, width in ((1, 3, 3), (4, 3, 5), (11, 3, 5), (2, 3, 3)):
        planes = positions(config, count, height, width, seed=count)
        mask = (torch.rand(count, 1, height, width) < 0.8).float()
        mask[:, :, 0, 0] = 1
        equal(evaluator.evaluate(planes), net(planes))
        equal(evaluator.evaluate(planes, mask), net(planes, mask))
        equal(evaluator.evaluate(planes, mask[:1]), net(planes, mask[:1]))
    empty = evaluator.evaluate(positions(config, 0, 3, 5))
    assert empty[0].shape == (0, 4, 3, 5)
    assert empty[1].shape == (0,)


def test_a_cpu_computes_nothing_in_vain_and_keeps_few_buffers():
    net, sizes = lively(CONFIG), []
    evaluator = Evaluator(net, device="cpu", batch=16)
    step = evaluator._step

    def noting(planes, mask):
        sizes.append(len(planes))
        return step(planes, mask)

    evaluator._step = noting
    for count in range(1, 17):
        evaluator.evaluate(positions(CONFIG, count, 3, 3))
    assert sizes == list(range(1, 17))
    assert len(evaluator._slots) == 5


def test_arrays_of_bytes():
    net = lively(CONFIG)
    planes = np.random.default_rng(1).integers(0, 2, (3, 6, 4, 4), dtype=np.uint8)
    policy, value = Evaluator(net, device="cpu").evaluate_arrays(planes, np.ones((1, 1, 4, 4), dtype=np.uint8))
    expected = net(torch.from_numpy(planes).float())
    assert policy.dtype == value.dtype == np.float32
    np.testing.assert_allclose(policy, expected.policy_logits.detach(), rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(value, expected.value().detach(), rtol=1e-4, atol=1e-5)


def test_answers_are_not_overwritten_by_the_next_batch():
    evaluator = Evaluator(lively(CONFIG), device="cpu", batch=4)
    first = evaluator.evaluate(positions(CONFIG, 4, 3, 3, seed=1))
    kept = first[0].clone()
    evaluator.evaluate(positions(CONFIG, 4, 3, 3, seed=2))
    assert torch.equal(first[0], kept)


def test_a_compiled_network_gets_batches_of_one_size(monkeypatch):
    monkeypatch.setattr(torch, "compile", lambda function, **_: function)
    net, sizes = lively(CONFIG), []
    evaluator = Evaluator(net, device="cpu", batch=4, engine="compile")
    step = evaluator._step

    def noting(planes, mask):
        sizes.append(len(planes))
        return step(planes, mask)

    evaluator._step = noting
    planes = positions(CONFIG, 7, 3, 3)
    mask = torch.ones(7, 1, 3, 3)
    mask[5:, :, 1:] = 0
    equal(evaluator.evaluate(planes, mask), net(planes, mask))
    assert sizes == [4, 4]


def test_too_little_memory_means_smaller_batches_and_a_word():
    net = lively(CONFIG)
    evaluator = Evaluator(net, device="cpu", batch=8)
    step = evaluator._step

    def small_memory(planes, mask):
        if len(planes) > 2:
            raise torch.OutOfMemoryError("out of memory")
        return step(planes, mask)

    evaluator._step = small_memory
    planes = positions(CONFIG, 8, 3, 3)
    with pytest.warns(UserWarning, match="ran out of memory: continuing with batches of") as said:
        equal(evaluator.evaluate(planes), net(planes))
    assert evaluator.batch == 2
    assert len(said) == 2
    assert max(len(slot.planes) for slot in evaluator._slots.values()) == 2
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        equal(evaluator.evaluate(planes), net(planes))


def test_no_memory_at_all_is_a_sentence():
    evaluator = Evaluator(lively(CONFIG), device="cpu", batch=1)

    def no_memory(planes, mask):
        raise torch.OutOfMemoryError("out of memory")

    evaluator._step = no_memory
    with pytest.raises(LudoportError, match="too little memory to evaluate one position"):
        evaluator.evaluate(positions(CONFIG, 1, 3, 3))


def test_half_precision_is_close():
    net, planes = lively(CONFIG), positions(CONFIG, 3, 4, 4)
    policy, value = Evaluator(net, device="cpu", precision="bfloat16").evaluate(planes, torch.ones(3, 1, 4, 4))
    assert policy.dtype == value.dtype == torch.float32
    torch.testing.assert_close(value, net(planes).value(), rtol=0.05, atol=0.05)


@pytest.mark.parametrize("name", ["tiny", "paper"])
def test_new_weights_are_taken_over(name):
    config = preset(name, 6, 4, blocks=1)
    planes, new = positions(config, 3, 4, 4), lively(config, seed=2)
    evaluator = Evaluator(lively(config), device="cpu")
    assert not torch.allclose(evaluator.evaluate(planes)[1], new(planes).value(), atol=1e-3)
    evaluator.update(new)
    equal(evaluator.evaluate(planes), new(planes))
    with pytest.raises(LudoportError, match="network of the same shape"):
        evaluator.update(lively(preset(name, 6, 4, blocks=2)))


def test_evaluating_leaves_training_as_it_was():
    net = lively(CONFIG).train()
    Evaluator(net, device="cpu").evaluate(positions(CONFIG, 3, 4, 4))
    assert net.training
    assert all(parameter.requires_grad for parameter in net.parameters())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"engine": "tensorrt"}, "unknown engine `tensorrt`; choose from eager"),
        ({"precision": "int8"}, "unknown precision `int8`"),
        ({"batch": 0}, "batch is 0; it must be at least 1"),
        ({"graph": True}, "a graph needs a CUDA device, not cpu"),
        ({"engine": "cudnn"}, "engine cudnn needs a CUDA device"),
        ({"device": "abacus"}, "unknown device `abacus`"),
    ],
)
def test_wrong_options_get_a_sentence(options, message):
    with pytest.raises(LudoportError, match=message):
        Evaluator(lively(CONFIG), **{"device": "cpu", **options})


def test_wrong_shapes_get_a_sentence():
    evaluator = Evaluator(lively(CONFIG), device="cpu")
    with pytest.raises(LudoportError, match=r"shape \[2, 5, 3, 3\]; this network needs \[B, 6, H, W\]"):
        evaluator.evaluate(torch.rand(2, 5, 3, 3))
    with pytest.raises(
        LudoportError, match=r"mask has the shape \[2, 1, 4, 3\]; with these planes it must be \[2, 1, 3, 3\]"
    ):
        evaluator.evaluate(torch.rand(2, 6, 3, 3), torch.ones(2, 1, 4, 3))


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a CUDA device")
def test_a_missing_gpu_is_a_sentence():
    with pytest.raises(LudoportError, match="torch finds no CUDA device"):
        Evaluator(lively(CONFIG), device="cuda")


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device")
@pytest.mark.parametrize("engine", ["eager", "cudnn", "compile"])
@pytest.mark.parametrize("graph", [False, True])
def test_on_a_gpu(engine, graph):
    net = lively(CONFIG)
    evaluator = Evaluator(net, device="cuda", batch=4, engine=engine, graph=graph)
    for seed in (1, 2):
        planes = positions(CONFIG, 7, 3, 5, seed=seed)
        policy, value = evaluator.evaluate(planes)
        expected = net(planes)
        torch.testing.assert_close(policy.cpu(), expected.policy_logits, rtol=0.02, atol=0.05)
        torch.testing.assert_close(value.cpu(), expected.value(), rtol=0.02, atol=0.02)
