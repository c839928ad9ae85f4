"""Home opens without an error."""


def test_home_opens(app):
    assert "Flock" in app.open().main.inner_text()
