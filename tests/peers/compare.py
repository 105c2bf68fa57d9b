#!/usr/bin/env python3
"""The kit's fastest steps beside other people's transposes, in turns on one GPU.

    compare.py LIBRARY [--csv FILE] [--rounds R] [N...]

LIBRARY holds the steps: make bench-gpu PEERS=1 builds it, and with SAMPLES=path, a checkout of NVIDIA's cuda-samples,
their transposes too. The other peers are PyTorch's (torch.compile in its best mode and as it comes, and copy_), CuPy's
copyto and cuBLAS's geam by CuPy. Who is not there is named and left out, and so is who is not for an n. Every result is
verified. A round is one launch of each, all given to the device before the first ends; each round has an order of its
own, and small matrices have more of them. Each ratio is of two times of one round. Exit status 1 when a result is
wrong, 3 without PyTorch or a GPU.
"""

import argparse
import ctypes
import datetime
import random
import statistics
import sys

SIZES = [8192, 16384, 20480, 24576, 10007]
STEPS = [7, 8]
SAMPLES = ["transposeCoalesced", "transposeNoBankConflicts", "transposeDiagonal"]
SAMPLES_TILE = 32  # their kernels have no guards: they are for multiples of it
WARM_UPS = 3
LEAST_ROUNDS, MOST_ROUNDS, ROUNDS_ELEMENTS = 60, 500, 4e10  # so many elements in all, within these
AHEAD_ELEMENTS = 10**9  # to copy takes a GPU with 4 TB/s 2 ms: longer than Python takes to launch a round


def give_up(status, why):
    print(f"peers: {why}", file=sys.stderr)
    sys.exit(status)


try:
    import torch
except ImportError:
    give_up(3, "there is no PyTorch for this Python: `pip install torch`, or PYTHON=/where/it/is make bench-gpu PEERS=1")


def kit_step(library, number):
    def launch(a, out):
        error = library.step_launch_numbered(
            number, ctypes.c_void_p(out.data_ptr()), ctypes.c_void_p(a.data_ptr()), ctypes.c_size_t(a.shape[0]))
        if error:
            give_up(1, f"launching step {number}: CUDA error {error}")

    return launch


def sample(library, name):
    def launch(a, out):
        error = library.sample_launch_named(
            name.encode(), ctypes.c_void_p(out.data_ptr()), ctypes.c_void_p(a.data_ptr()), ctypes.c_size_t(a.shape[0]))
        if error:
            give_up(1, f"launching NVIDIA's {name}: CUDA error {error}")

    return launch


def has_samples(library):
    return hasattr(library, "sample_launch_named")


def samples(library, n):
    if not has_samples(library):
        print("peers: there is no SAMPLES=path, a checkout of NVIDIA's cuda-samples: its transposes are left out",
              file=sys.stderr)
        return {}
    if n % SAMPLES_TILE:
        print(f"peers: the cuda-samples' transposes are not for n = {n}: they are left out", file=sys.stderr)
        return {}
    return {f"cuda-samples {name}": sample(library, name) for name in SAMPLES}


def compiled(mode):
    """torch.compile has no result but its own: it is written to new memory, as everybody's who uses it."""
    torch._dynamo.reset()
    return torch.compile(lambda a: a.t().contiguous(), mode=mode, dynamic=False)


def cupy_peers():
    try:
        import cupy
        from cupy import cublas
    except ImportError:
        print("peers: there is no CuPy: its copyto and cuBLAS are left out", file=sys.stderr)
        return {}

    def view(tensor):
        return cupy.from_dlpack(tensor)

    def copyto(a, out):
        cupy.copyto(view(out), view(a).T)

    def geam(a, out):
        cublas.geam("T", "N", 1.0, view(a), 0.0, view(out), out=view(out))

    return {"cublasSgeam": geam, "CuPy copyto": copyto}


def runners(library, n):
    best, usual = compiled("max-autotune-no-cudagraphs"), compiled(None)
    rows = {
        "the device's own copy": lambda a, out: out.copy_(a),
        "torch.compile, max-autotune": lambda a, out: best(a),
        "torch.compile": lambda a, out: usual(a),
        "torch copy_": lambda a, out: out.copy_(a.t()),
    }
    rows.update(cupy_peers())
    rows.update(samples(library, n))
    rows.update({f"step {number}": kit_step(library, number) for number in STEPS})
    return rows


def verify(rows, a, out):
    for name, launch in rows.items():
        out.zero_()
        result = launch(a, out)
        result = out if result is None else result
        torch.cuda.synchronize()
        if not torch.equal(result, a if "own copy" in name else a.t()):
            give_up(1, f"{name} gave a wrong result at n = {a.shape[0]}")


def run_round(rows, order, a, out):
    events = [torch.cuda.Event(enable_timing=True) for _ in range(len(order) + 1)]
    for _ in range(1 + AHEAD_ELEMENTS // a.numel()):
        out.copy_(a)  # nobody times it: the device is at work while the rest is queued
    events[0].record()
    for place, name in enumerate(order):
        rows[name](a, out)
        events[place + 1].record()
    torch.cuda.synchronize()
    return {name: events[i].elapsed_time(events[i + 1]) for i, name in enumerate(order)}


def rounds_for(n):
    return int(min(max(ROUNDS_ELEMENTS / n**2, LEAST_ROUNDS), MOST_ROUNDS))


def measure(library, n, rounds):
    torch.manual_seed(1)
    random.seed(1)
    a = torch.rand(n, n, device="cuda")
    out = torch.empty_like(a)
    rows = runners(library, n)
    verify(rows, a, out)
    names = list(rows)
    times = {name: [] for name in names}
    for i in range(-WARM_UPS, rounds):
        order = random.sample(names, len(names))
        for name, ms in run_round(rows, order, a, out).items():
            if i >= 0:
                times[name].append(ms)
    return times


def deciles(values):
    parts = statistics.quantiles(values, n=10)
    return parts[0], parts[-1]


def report(n, times, csv):
    copy, bytes_moved = times["the device's own copy"], 2 * 4 * n * n
    print(f"\nn = {n}: {'':30} median        GB/s  of the copy, median and middle 80 %")
    for name, own in sorted(times.items(), key=lambda row: statistics.median(row[1])):
        ratios = [c / t for c, t in zip(copy, own)]
        ms, ratio, (low, high) = statistics.median(own), statistics.median(ratios), deciles(ratios)
        print(f"  {name:30} {ms:10.4f} ms {bytes_moved / ms * 1e-6:9.1f}    {ratio:.4f}  {low:.4f}..{high:.4f}")
        csv.write(f'{n},"{name}",{ms:.6f},{bytes_moved / ms * 1e-6:.1f},{ratio:.4f},{low:.4f},{high:.4f}\n')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("steps", metavar="LIBRARY")
    parser.add_argument("--csv", default="/dev/null")
    parser.add_argument("--rounds", type=int, help="instead of more for small matrices than for large ones")
    parser.add_argument("sizes", type=int, nargs="*", default=SIZES, metavar="N")
    asked = parser.parse_args()
    if not torch.cuda.is_available():
        give_up(3, "PyTorch finds no GPU")
    library = ctypes.CDLL(asked.steps)
    with open(asked.csv, "w", encoding="utf-8") as csv:
        command = "make TUNED=1 bench-gpu PEERS=1" + (" SAMPLES=cuda-samples" if has_samples(library) else "")
        csv.write(f"# {torch.cuda.get_device_name()}, driver {driver()}, PyTorch {torch.__version__}, "
                  f"{datetime.date.today()}: {command}\n")
        csv.write("n,kernel,median_ms,bandwidth_gbs,of_copy,of_copy_p10,of_copy_p90\n")
        for n in asked.sizes:
            report(n, measure(library, n, asked.rounds or rounds_for(n)), csv)


def driver():
    try:
        with open("/sys/module/nvidia/version", encoding="ascii") as file:
            return file.read().strip()
    except OSError:
        return "unknown"


main()
