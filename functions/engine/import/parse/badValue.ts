/** An invalid value with the reason: its row is rejected. */
export class BadValue {
  constructor(
    readonly message: string,
    readonly value?: string,
  ) {}
}
