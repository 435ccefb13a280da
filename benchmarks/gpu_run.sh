#!/usr/bin/env bash
# Measure learning on a GPU in nine minutes, without network: speed first, then two training runs that end in time.
#
#     benchmarks/gpu_run.sh FOLDER
#
# It needs a Python with PyTorch for the GPU, the packages of the extra `train`, and t2r_env installed (or the
# .dist-info folder of its wheel on PYTHONPATH: agents are found by their entry points); the folder gets learning.jsonl
# and the two training runs. PYTHON names another Python; MINUTES=0.1 DEVICE=cpu tries the script.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
out=${1:?the folder for what is measured}
python=${PYTHON:-python3}
device=${DEVICE:-cuda}
minutes=${MINUTES:-1}
export PYTHONPATH="$PWD:$PWD/agents:$PWD/train:${PYTHONPATH:-}"
mkdir -p "$out"

"$python" -m t2r_env compile --agents planner
"$python" -m benchmarks.learning --device "$device" --methods plan rules --seconds "$("$python" -c "print(10 * $minutes)")" \
    | tee "$out/learning.jsonl"

# Train for some minutes: as many timesteps as the speed just measured makes in them.
train() { # METHOD VARIANT MINUTES ARGUMENT...
    local timesteps
    timesteps=$("$python" - "$out/learning.jsonl" "$1" "$2" "$3" <<'END'
import json, sys
path, method, variant, minutes = sys.argv[1:]
(line,) = [it for it in map(json.loads, open(path)) if (it["method"], it["variant"]) == (method, variant)]
print(round(line["decisions_per_second"] * 60 * float(minutes)))
END
    )
    "$python" -m t2r_env train --variant "$2" --device "$device" --total-timesteps "$timesteps" \
        --out "$out/$1_$2" "${@:4}"
}
train rules new_york "$("$python" -c "print(2 * $minutes)")" --from-rules
train plan usa "$("$python" -c "print(3.5 * $minutes)")" --tickets classic
