// `npm run bench [engine] [http]`: figures as JSON, all of them when none is named.
import { engineFigures } from "./engine.ts";
import { benchHttp } from "./http.ts";

const benches: Record<string, () => Promise<object>> = {
  engine: () => engineFigures(),
  http: () => benchHttp(),
};

const named = process.argv.slice(2);
for (const [name, run] of Object.entries(benches)) {
  if (named.length > 0 && !named.includes(name)) continue;
  console.log(JSON.stringify({ [name]: await run() }, null, 2));
}
