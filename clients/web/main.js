// Begins the page.

import { App } from "./app.js";
import { byId } from "./dom.js";
import { t } from "./texts.js";

new App().begin().catch((error) => {
  byId("banner").textContent = t("noServer", { error: error.message });
  byId("banner").hidden = false;
});
