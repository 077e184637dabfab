/** An answer in a format of its own, sent as it is: a file for a spreadsheet, a map layer, lines of JSON. */
export class Download {
  readonly contentType: string
  readonly body: ReadableStream<Uint8Array> | string
  /** The name a browser saves it under; null shows it in place. */
  readonly fileName: string | null

  constructor(
    contentType: string,
    body: ReadableStream<Uint8Array> | string,
    fileName: string | null = null,
  ) {
    this.contentType = contentType
    this.body = body
    this.fileName = fileName
  }
}
