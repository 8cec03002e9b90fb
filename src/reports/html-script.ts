/**
 * Filter and search. The page is complete without it. It shows the form and hides findings that do not
 * match. It reads only attributes and text of the page, and writes only `hidden` and the count.
 */
export const script = `
"use strict";
const form = document.querySelector("form");
if (form) {
  const findings = [...document.querySelectorAll("article[data-severity]")].map((node) => ({
    node, severity: node.dataset.severity, check: node.dataset.check,
    policy: node.closest("section"), text: node.closest("section").dataset.file.toLowerCase() + " " + node.textContent.toLowerCase(),
  }));
  const policies = [...document.querySelectorAll("section[data-file]")];
  const status = form.querySelector("output");
  const update = () => {
    const words = form.elements.search.value.toLowerCase().split(/\\s+/).filter(Boolean);
    const off = new Set([...form.querySelectorAll("input[name=severity]:not(:checked)")].map((box) => box.value));
    const check = form.elements.check.value;
    const shown = new Map();
    let count = 0;
    for (const { node, severity, check: id, policy, text } of findings) {
      const fits = !off.has(severity) && (check === "" || check === id) && words.every((word) => text.includes(word));
      node.hidden = !fits;
      if (fits) { count++; shown.set(policy, true); }
    }
    const filtered = words.length > 0 || off.size > 0 || check !== "";
    for (const policy of policies) policy.hidden = filtered && !shown.has(policy);
    status.textContent = "Showing " + (filtered ? count + " of " : "all ") + findings.length + " findings.";
  };
  form.addEventListener("input", update);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(update));
  for (const link of document.querySelectorAll("a[data-policy]")) {
    link.addEventListener("click", () => { form.reset(); update(); });
  }
  form.hidden = false;
  update();
}
`;
