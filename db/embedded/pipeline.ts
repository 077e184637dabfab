import type pg from 'pg'

/** One statement as Neon's driver sends it; its parameters are texts. */
export interface Statement {
  query: string
  params?: unknown[]
}

/** The answer to a statement: rows are arrays of texts, in the order of `fields`. */
export interface Answer {
  command: string
  rowCount: number | null
  rows: unknown[]
  fields: unknown[]
  rowAsArray: true
}

/**
 * Runs statements in one transaction and one round trip to a Postgres server. Rolls back and throws the error of the
 * first one that fails.
 */
export async function runPipeline(
  client: pg.PoolClient,
  statements: Statement[],
  readOnly: boolean,
): Promise<Answer[]> {
  const begin = { query: readOnly ? 'BEGIN READ ONLY' : 'BEGIN' }
  try {
    const answers = await new Promise<Answer[]>((resolve, reject) => {
      client.query(new Pipeline([begin, ...statements, { query: 'COMMIT' }], resolve, reject))
    })
    return answers.slice(1, -1)
  } catch (error) {
    // A broken connection has rolled back already, and the error above says why it broke.
    await client.query('ROLLBACK').catch(() => {})
    throw error
  }
}

/**
 * Statements that share one Sync message. Until then Postgres does not send its answers, and after an error it skips
 * the rest. Queries of the `pg` client have a Sync each, so every answer is sent, and wakes this process, separately.
 * The methods are those that the client calls on its active query.
 */
class Pipeline implements pg.Submittable {
  private readonly answers: Answer[] = []
  private readonly statements: Statement[]
  private readonly resolve: (answers: Answer[]) => void
  private readonly reject: (error: unknown) => void
  private current = createAnswer()

  constructor(
    statements: Statement[],
    resolve: (answers: Answer[]) => void,
    reject: (error: unknown) => void,
  ) {
    this.statements = statements
    this.resolve = resolve
    this.reject = reject
  }

  submit(connection: pg.Connection): void {
    connection.stream.cork()
    for (const { query, params = [] } of this.statements) {
      connection.parse({ text: query, name: '', types: [] }, true)
      connection.bind({ values: params.map((value) => (value === null ? null : String(value))) }, true)
      connection.describe({ type: 'P' }, true)
      connection.execute(null, true)
    }
    connection.sync()
    connection.stream.uncork()
  }

  handleRowDescription({ fields }: { fields: unknown[] }): void {
    this.current.fields = fields
  }

  handleDataRow({ fields }: { fields: unknown[] }): void {
    this.current.rows.push(fields)
  }

  /** The tag is "SELECT 5", "INSERT 0 5" or "BEGIN". */
  handleCommandComplete({ text }: { text: string }): void {
    const words = text.split(' ')
    const count = Number(words.at(-1))
    this.answers.push({
      ...this.current,
      command: words[0] ?? '',
      rowCount: Number.isNaN(count) ? null : count,
    })
    this.current = createAnswer()
  }

  handleEmptyQuery(): void {
    this.answers.push(this.current)
    this.current = createAnswer()
  }

  /** `COPY … FROM STDIN` fails by itself: the server finds the next statement where it expects rows. */
  handleCopyInResponse(): void {}

  handleCopyData(): void {}

  handleError(error: unknown): void {
    this.reject(error)
  }

  handleReadyForQuery(): void {
    this.resolve(this.answers)
  }
}

const createAnswer = (): Answer => ({ command: '', rowCount: null, rows: [], fields: [], rowAsArray: true })
