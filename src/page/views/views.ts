/** The views by name. */
import type { VNode } from "../parts/html.ts";
import type { View } from "../rules/route.ts";
import { GraphView } from "./graph.ts";
import { InboxView } from "./inbox.ts";
import { ProjectView } from "./project.ts";
import { SearchView } from "./search.ts";
import { TimelineView } from "./timeline.ts";

export const VIEW_OF: Readonly<Record<View, () => VNode>> = {
  search: SearchView,
  inbox: InboxView,
  timeline: TimelineView,
  graph: GraphView,
  project: ProjectView,
};
