// SPDX-License-Identifier: Apache-2.0
// Hands over the token that stands behind the # of the address, which no browser sends by itself.
"use strict";
const token = location.hash.slice(1);
if (token) {
  history.replaceState(null, "", location.pathname);
  document.getElementById("token").value = token;
  document.getElementById("open").submit();
}
