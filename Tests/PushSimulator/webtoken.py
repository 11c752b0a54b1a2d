"""Signed JSON Web Tokens (RFC 7515 and 7519), whose signatures PyJWT verifies."""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePublicKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey

_JWS = jwt.PyJWS()


class WebToken:
    """A token in its compact form, not yet verified."""

    def __init__(self, text: str) -> None:
        """Parses a token; raises ValueError if it is none."""
        # PyJWT takes padded parts, too.
        if not re.fullmatch(r"[\w-]+\.[\w-]+\.[\w-]+", text, re.ASCII):
            raise ValueError("not three parts in base64url")
        try:
            parts = _JWS.decode_complete(text, options={"verify_signature": False})
        except jwt.InvalidTokenError as error:
            raise ValueError(str(error)) from error
        claims = json.loads(parts["payload"])
        if not isinstance(claims, dict):
            raise ValueError("the claims are no object")
        self._text = text
        self.header: dict[str, Any] = parts["header"]
        self.claims: dict[str, Any] = claims

    @classmethod
    def parse(cls, text: str | None) -> WebToken | None:
        """The token of a text; None if it is none."""
        try:
            return cls(text or "")
        except ValueError:
            return None

    @property
    def id(self) -> str:
        """The beginning of its SHA-256, by which the log names it."""
        return hashlib.sha256(self._text.encode()).hexdigest()[:12]

    def time(self, claim: str) -> int | None:
        """A claim in whole seconds since 1970."""
        value = self.claims.get(claim)
        return value if type(value) is int else None

    def is_signed_by(self, key: EllipticCurvePublicKey | RSAPublicKey) -> bool:
        """Verifies ES256 or RS256, as the key allows (RFC 7518, section 3.1)."""
        algorithm = "RS256" if isinstance(key, RSAPublicKey) else "ES256"
        try:
            _JWS.decode_complete(self._text, key, algorithms=[algorithm])  # type: ignore[arg-type]
        except jwt.InvalidTokenError:
            return False
        return True
