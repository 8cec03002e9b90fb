export { Yielder } from "../yielder.ts";
