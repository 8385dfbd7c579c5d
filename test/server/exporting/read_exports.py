"""Reads exported tables by DuckDB, pandas and Polars, and prints what each of them sees as one line of JSON."""

import glob
import json
import sys
from datetime import timezone

import duckdb
import pandas as pd
import polars as pl

folder, what = sys.argv[1:3]
files = f"{folder}/{what}/**/*.parquet"
columns = sys.argv[3].split(",")
order = sys.argv[4].split(",")


def told(value):
    if value is None or value is pd.NaT or value is pd.NA or value != value:
        return None
    if hasattr(value, "astimezone"):
        utc = value.astimezone(timezone.utc)
        return utc.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return value.item() if hasattr(value, "item") else value


def rows_of(rows):
    return [[told(value) for value in row] for row in rows]


listed = ", ".join(columns)
relation = duckdb.sql(f"select {listed} from '{files}' order by {', '.join(order)}")
frame = pd.read_parquet(sorted(glob.glob(files, recursive=True)))
same = pd.read_parquet(f"{folder}/{what}", ignore_prefixes=["manifest", "schema"])
for one in (frame, same):
    one["league"] = one["league"].astype(str)
    one["year"] = one["year"].astype("int64")
assert frame.sort_values(order).reset_index(drop=True).equals(same.sort_values(order).reset_index(drop=True))
table = pl.scan_parquet(files, hive_partitioning=True).sort(order).select(columns).collect()

print(
    json.dumps(
        {
            "duckdb": rows_of(relation.fetchall()),
            "pandas": rows_of(frame.sort_values(order)[columns].astype(object).values.tolist()),
            "polars": rows_of(table.rows()),
            "types": {
                "duckdb": [str(kind) for kind in relation.types],
                "pandas": [str(frame[name].dtype) for name in columns],
                "polars": [str(kind) for kind in table.dtypes],
            },
        }
    )
)
