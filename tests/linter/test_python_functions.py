import pytest

from tidegate.linter.python_functions import (
    RegisteredFunctions,
    registered_functions,
    said_in_sql,
)


@pytest.mark.parametrize(
    "text",
    [
        'spark.udf.register("py_is_mail", check_mail)',
        'spark.udf.register("py_is_mail", lambda s: "@" in s, BooleanType())',
        'spark.udf.register(name="py_is_mail", f=check_mail)',
        'NAME = "py_is_mail"\nsession.udf.register(NAME, check_mail)',
        "@udf\ndef py_is_mail(s): ...",
        '@F.udf("boolean")\ndef py_is_mail(s): ...',
        "@pandas_udf(BooleanType())\ndef py_is_mail(s): ...",
        "class A:\n  @staticmethod\n  @udf(returnType=BooleanType())\n  def py_is_mail(s): ...",
    ],
)
def test_a_registration_is_found(text):
    assert registered_functions(text).python == {"py_is_mail"}


@pytest.mark.parametrize(
    "text",
    [
        "def py_is_mail(s): ...",
        "registry.register('py_is_mail', f)",
        "# spark.udf.register('py_is_mail', f)",
        "spark.udf.register(name_of(f), f)",
        "@cache\ndef py_is_mail(s): ...",
        "@dlt.table\ndef orders(): ...",
        "",
    ],
)
def test_what_registers_nothing_gives_nothing(text):
    assert registered_functions(text) == RegisteredFunctions()


def test_a_java_class_is_no_python_function():
    text = 'spark.udf.registerJavaFunction("is_mail", "com.example.IsMail")'
    assert registered_functions(text) == RegisteredFunctions(java=frozenset({"is_mail"}))


@pytest.mark.parametrize("text", ["def (", "\0", "(" * 5000, "x = '\\d'"])
def test_text_that_is_no_python_gives_nothing(text):
    assert registered_functions(text) == RegisteredFunctions()


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("return m is not None", ("IS NOT NULL",)),
        ("return m is None", ("IS NULL",)),
        ("\n  import re\n  return re.search('x', m)\n", ("RLIKE",)),
        ("return t in ('A', 'B')", ("IN",)),
        ("return '@' in m", ("contains",)),
        ("return len(m) > 3", ("length",)),
        ("return 0 <= a <= 9", ("BETWEEN",)),
        ("return m is not None and len(m) > 3", ("IS NOT NULL", "length")),
        ("x = f(m)\nreturn x is None", ()),
        ("return checksum(m)", ()),
        ("return", ()),
        ("", ()),
        ("not python", ()),
    ],
)
def test_a_body_of_one_known_expression_is_said_in_sql(body, said):
    assert said_in_sql(body) == said
