import { request } from 'node:http'

/** Fetches a path from a host of the demo, as bytes; rejects when it is not there. */
export function getBytes(port: number, host: string, path: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const httpRequest = request(
      { host: '127.0.0.1', port, path, headers: { host: `${host}:${port}` } },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => {
          const status = response.statusCode ?? 0
          if (status === 200) resolve(Buffer.concat(chunks))
          else reject(new Error(`${status} of ${host}${path}`))
        })
      },
    )
    httpRequest.on('error', reject)
    httpRequest.end()
  })
}

/** As `getBytes`, decoded as text. */
export const get = async (port: number, host: string, path: string): Promise<string> =>
  (await getBytes(port, host, path)).toString()

/** Parses a CSV file into rows, the header first. */
export function cellsOfCsv(text: string): string[][] {
  const rows: string[][] = [[]]
  for (const [, quoted, plain = '', end = ''] of text
    .replace(/^\ufeff/, '')
    .matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    rows.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (end !== ',') rows.push([])
  }
  return rows.filter((row) => row.length > 1 || (row[0] ?? '') !== '')
}
