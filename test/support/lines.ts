/** Lines as they come in, and a way to wait for the next ones without sleeping. */
export class Lines {
  readonly all: string[] = [];
  #waiting: { count: number; resolve: (lines: string[]) => void }[] = [];

  push(line: string): void {
    this.all.push(line);
    this.#waiting = this.#waiting.filter(({ count, resolve }) => {
      if (this.all.length < count) return true;
      resolve(this.all);
      return false;
    });
  }

  /** @returns all lines, once there are this many. */
  async atLeast(count: number): Promise<string[]> {
    if (this.all.length >= count) return this.all;
    const { promise, resolve } = Promise.withResolvers<string[]>();
    this.#waiting.push({ count, resolve });
    return promise;
  }

  get text(): string {
    return this.all.join("\n");
  }
}
