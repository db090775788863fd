/** The page's entry: enters with the code in the address, chooses the project, and shows the view of the route. */
import { createSession } from "./client/session.ts";
import { currentTheme } from "./parts/frame.ts";
import { html, render } from "./parts/html.ts";
import { Page } from "./parts/page.ts";

document.documentElement.dataset["theme"] = currentTheme();
const session = createSession(sessionStorage, (...request) => fetch(...request));
render(html`<${Page} session=${session} />`, document.querySelector<HTMLElement>("#app")!);
