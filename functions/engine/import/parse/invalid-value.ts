/** An invalid value with the reason: its row is rejected. */
export class InvalidValue {
  constructor(
    readonly message: string,
    readonly value?: string,
  ) {}
}
