// Keeps the theme that was chosen in the app. Without a choice, or without this script, the system's holds.
try {
  const choice = localStorage.getItem("elastiplan-theme");
  if (choice === "light" || choice === "dark") document.documentElement.dataset.theme = choice;
} catch {
  // Storage is switched off.
}
