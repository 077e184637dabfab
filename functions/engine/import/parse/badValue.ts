/** A value that is not let in, with the reason: its row is refused. */
export class BadValue {
  constructor(
    readonly message: string,
    readonly value?: string,
  ) {}
}
