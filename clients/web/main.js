// Begins the page.

import { App } from "./app.js";

const app = new App();
app.begin().catch((error) => app.fail(error));
