type Body = ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> | string

/** A response in another format than JSON: a spreadsheet, a map layer, a picture, JSON lines. */
export class Download {
  readonly contentType: string
  readonly body: Body
  /** The file name of the download; null shows it inline. */
  readonly fileName: string | null

  constructor(contentType: string, body: Body, fileName: string | null = null) {
    this.contentType = contentType
    this.body = body
    this.fileName = fileName
  }
}
