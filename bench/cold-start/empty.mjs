/** What nothing costs: the runtime client and a function that answers at once. */
export async function handler() {
  return { statusCode: 200, body: "" };
}
