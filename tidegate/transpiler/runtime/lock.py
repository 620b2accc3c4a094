"""Lets one run at a time work on a warehouse.

The JVM holds the lock: it may outlive a killed Python process and commit a batch, and the operating
system frees the lock when the JVM is gone.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from py4j.java_gateway import JavaObject
from py4j.protocol import Py4JError, Py4JJavaError
from pyspark.sql import SparkSession

from tidegate.transpiler.runtime.failures import Refusal
from tidegate.transpiler.runtime.storage import java_classes

_PAUSE_SECONDS = 0.5


@contextmanager
def locked(
    spark: SparkSession, file: Path, *, wait: bool, on_wait: Callable[[], None]
) -> Iterator[None]:
    """Hold the lock of a warehouse; wait for it, or refuse."""
    file.parent.mkdir(parents=True, exist_ok=True)
    opened = java_classes(spark).java.io.RandomAccessFile(str(file), "rw")
    try:
        waited = False
        while not _try(opened.getChannel()):
            if not wait:
                raise Refusal(
                    f"another run works on `{file.parent.parent}`",
                    "wait until it has ended, or leave out --no-wait",
                )
            if not waited:
                on_wait()
            waited = True
            time.sleep(_PAUSE_SECONDS)
        yield
    finally:
        # Closing the file frees the lock, as does the end of the JVM.
        with suppress(Py4JError, OSError):
            opened.close()


def _try(channel: JavaObject) -> bool:
    try:
        return channel.tryLock() is not None
    except Py4JJavaError as error:
        if "OverlappingFileLockException" in str(error.java_exception.getClass().getName()):
            return False
        raise
