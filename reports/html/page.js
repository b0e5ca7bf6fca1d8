(function () {
  "use strict";
  var form = document.querySelector(".filters");
  var find = document.getElementById("find");
  var shown = document.getElementById("shown");
  var boxes = Array.prototype.slice.call(form.querySelectorAll("input[name=show]"));
  var rules = Array.prototype.slice.call(document.querySelectorAll("details.rule"));
  function count() {
    document.querySelectorAll(".area").forEach(function (a) {
      a.hidden = !a.querySelector("details.rule:not([hidden])");
    });
    shown.textContent = document.querySelectorAll("details.rule:not([hidden])").length + " of " + rules.length + " rules";
  }
  function filter() {
    var on = {}, words = find.value.toLowerCase().split(/\s+/);
    boxes.forEach(function (b) { on[b.value] = b.checked; });
    rules.forEach(function (r) {
      var text = r.querySelector("summary").textContent.toLowerCase();
      var keep = on[r.dataset.verdict] && words.every(function (w) { return text.indexOf(w) >= 0; });
      r.hidden = !keep;
    });
    count();
  }
  function open() {
    var at = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (at && at.matches("details.rule")) { at.hidden = false; count(); at.open = true; at.scrollIntoView(); }
  }
  form.hidden = false;
  form.addEventListener("submit", function (e) { e.preventDefault(); });
  form.addEventListener("input", filter);
  window.addEventListener("hashchange", open);
  window.addEventListener("beforeprint", function () { rules.forEach(function (r) { if (r.dataset.verdict === "fail") r.open = true; }); });
  filter();
  open();
})();
