"""S016: expectations that decorate nothing."""

from tidegate.linter.rule import Bad, FaultRule


class ExpectationNotAttached(FaultRule):
    """A call of an expect function makes a decorator; unless that decorates a dataset, it is lost.

    ``dlt.expect(name, rule)(df)`` looks like a check of a data frame. It checks nothing: the
    function decorates functions that return datasets, and any other call leaves no rule on any
    dataset. The same goes for a call that stands alone, for a function that no decorator makes a
    dataset, and for one that makes a flow.

    A helper that returns such a decorator is fine. Where a function only lacks its ``@dlt.table``,
    the help says so. There is no fix, because only you know the
    dataset that was meant.
    """

    language = "python"
    bad = (
        Bad(
            """
            import dlt

            def checked(df):
                for name, rule in {"id_given": "id IS NOT NULL"}.items():
                    df = dlt.expect(name, rule)(df)
                    #    ^^^^^^^^^^^^^^^^^^^^^^ S016
                return df
            """,
        ),
        Bad(
            """
            import dlt

            def orders():
                dlt.expect_or_drop("id_given", "id IS NOT NULL")
            #   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ S016
                return spark.readStream.table("raw.orders")
            """
        ),
    )
    good = (
        """
        import dlt

        @dlt.table
        @dlt.expect_all({"id_given": "id IS NOT NULL"})
        def orders():
            return spark.readStream.table("raw.orders")
        """,
    )
