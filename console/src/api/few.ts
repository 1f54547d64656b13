// Many small readings, few at a time, each once: for what a list needs about each of its rows.
const MOST_AT_ONCE = 4;

export class Few<T> {
  private readonly known = new Map<string, Promise<T>>();
  private readonly waiting: (() => void)[] = [];
  private active = 0;

  constructor(
    private readonly read: (key: string) => Promise<T>,
    private readonly most = 2000,
  ) {}

  get(key: string): Promise<T> {
    let found = this.known.get(key);
    if (!found) {
      found = this.start(key);
      this.known.set(key, found);
      found.catch(() => this.known.delete(key));
      if (this.known.size > this.most) this.known.delete(this.known.keys().next().value as string);
    }
    return found;
  }

  forget(key: string): void {
    this.known.delete(key);
  }

  private async start(key: string): Promise<T> {
    if (this.active >= MOST_AT_ONCE) await new Promise<void>((resolve) => this.waiting.push(resolve));
    ++this.active;
    try {
      return await this.read(key);
    } finally {
      --this.active;
      this.waiting.shift()?.();
    }
  }
}
