"""What a job needs while it runs, as plain PySpark: a pipeline of the spec enters, tables leave.

The ``pyspark`` target embeds the text of these modules in the job it emits and the runner imports
them, so that job and run cannot differ.
"""
