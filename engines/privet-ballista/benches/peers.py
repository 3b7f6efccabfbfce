"""Polars and DuckDB on the questions of engines.rs: best clock, best processor time, peak MB."""

import resource
import sys
import time

_, _, engine, place, path, runs = sys.argv
place, runs = int(place), int(runs)


def polars():
    import polars as pl

    t = pl.scan_parquet(path)
    age = pl.col("age").clip(0, 120)
    bill = pl.col("bill").clip(0.0, 500.0)
    copay = pl.col("copay").clip(0.0, 50.0)
    filtered = (pl.col("smoker") & (pl.col("age") > 40)).sum()
    ages = t.group_by(age.alias("k")).len()
    nine = t.select(
        filtered.alias("a"),
        bill.sum().alias("b"),
        copay.sum().alias("c"),
        (pl.col("city") == "Ulm").sum().alias("d"),
        pl.len().alias("e"),
        age.sum().alias("f"),
        (age * age).sum().alias("g"),
        bill.filter(pl.col("smoker")).sum().alias("h"),
        (pl.col("copay") > 20.0).sum().alias("i"),
    )
    asked = [
        [t.filter(pl.col("smoker") & (pl.col("age") > 40)).select(pl.len())],
        [t.select(bill.sum())],
        [t.select(copay.sum())],
        [ages],
        [nine, ages],
    ][place]
    return lambda: pl.collect_all(asked, engine="streaming") if len(asked) > 1 else asked[0].collect(engine="streaming")


def duckdb():
    import duckdb

    c = duckdb.connect()
    c.execute("SET threads = 2")
    t = f"read_parquet('{path}')"
    ages = f"SELECT least(greatest(age, 0), 120) AS k, count(*) FROM {t} GROUP BY k"
    asked = [
        [f"SELECT count(*) FROM {t} WHERE smoker AND age > 40"],
        [f"SELECT sum(least(greatest(bill, 0.0::DOUBLE), 500.0::DOUBLE)) FROM {t}"],
        [f"SELECT sum(least(greatest(copay, 0.0::DOUBLE), 50.0::DOUBLE)) FROM {t} WHERE copay IS NOT NULL"],
        [ages],
        [
            f"""SELECT count(*) FILTER (smoker AND age > 40), sum(least(greatest(bill, 0.0::DOUBLE), 500.0::DOUBLE)),
            sum(least(greatest(copay, 0.0::DOUBLE), 50.0::DOUBLE)) FILTER (copay IS NOT NULL),
            count(*) FILTER (city = 'Ulm'), count(*), sum(least(greatest(age, 0), 120)),
            sum(least(greatest(age, 0), 120) * least(greatest(age, 0), 120)),
            sum(least(greatest(bill, 0.0::DOUBLE), 500.0::DOUBLE)) FILTER (smoker),
            count(*) FILTER (copay > 20.0::DOUBLE) FROM {t}""",
            ages,
        ],
    ][place]
    return lambda: [c.execute(a).fetchall() for a in asked]


def processor():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


ask = {"Polars": polars, "DuckDB": duckdb}[engine]()
clock = cpu = float("inf")
for _ in range(runs):
    start, before = time.perf_counter(), processor()
    ask()
    clock = min(clock, time.perf_counter() - start)
    cpu = min(cpu, processor() - before)
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(clock, cpu, int(peak.split()[1]) / 1024)
