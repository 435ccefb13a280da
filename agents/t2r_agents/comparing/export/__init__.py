"""Games as data: Parquet files with a row for each decision, and a data card (docs/data.md).

    t2r export --variant usa --agents greedy planner --games 10000 --out data

`sources` has the games (agents play them, or they were recorded), `played` plays them again and looks at each decision,
`tables` says what is in the files, `folder` and `workers` write them, `card` describes them, `replays` and `episodes`
read them again, `terminal` is the command. The same command writes the same bytes.
"""
