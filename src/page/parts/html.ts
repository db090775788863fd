/** The one place that names the rendering library. `html` makes elements; every value in it becomes text, never markup. */
export { html, render } from "htm/preact";
export { createContext, type ComponentChildren, type VNode } from "preact";
export {
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} from "preact/hooks";
