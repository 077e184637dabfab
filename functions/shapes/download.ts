type Body = ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> | string

/** An answer in a format of its own, sent as it is: a file for a spreadsheet, a map layer, a picture, lines of JSON. */
export class Download {
  readonly contentType: string
  readonly body: Body
  /** The name a browser saves it under; null shows it in place. */
  readonly fileName: string | null

  constructor(contentType: string, body: Body, fileName: string | null = null) {
    this.contentType = contentType
    this.body = body
    this.fileName = fileName
  }
}
