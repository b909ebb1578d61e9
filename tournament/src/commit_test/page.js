// The page of tests: shows those that fit what was chosen. Without a script all are shown.

const rows = [...document.querySelectorAll("#tests tr[id]")];
const choices = ["variant", "verdict"].map((name) => document.getElementById(name));
const words = document.getElementById("words");

function show() {
  const wanted = words.value.toLowerCase().split(" ").filter(Boolean);
  let shown = 0;
  for (const row of rows) {
    const chosen = choices.every((choice) => choice.value === "" || row.dataset[choice.id] === choice.value);
    const text = row.textContent.toLowerCase();
    row.hidden = !chosen || !wanted.every((word) => text.includes(word));
    if (!row.hidden) shown += 1;
  }
  document.getElementById("shown").textContent = `${shown} of ${rows.length} tests`;
}

for (const input of [...choices, words]) input.addEventListener("input", show);
show();
