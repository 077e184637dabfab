export type Path = readonly (string | number)[]

/** An issue of a query. `path`: its position in the request, `value`: the value there. */
interface Issue {
  path: (string | number)[]
  value?: unknown
  message: string
  validator?: string
}

/** A query that cannot be run, with everything that is wrong in the stage that failed. */
export class QueryError extends Error {
  readonly issues: Issue[]

  constructor(issues: Issue[]) {
    super(
      ['Validation Error', ...issues.map(({ path, message }) => `${path.join(',')}: ${message}`)].join('\n'),
    )
    this.name = 'QueryError'
    this.issues = issues
  }
}

/** Collects issues, so that all of a stage are reported at once. */
export class Issues {
  readonly list: Issue[] = []

  /** Adds an issue. Returns undefined, for `return issues.add(…)` where a parser has no result. */
  add(path: Path, message: string, value?: unknown): undefined {
    this.list.push({ path: [...path], value, message })
    return undefined
  }

  /** Ends a stage: throws a QueryError when it has found anything. */
  stop(): void {
    if (this.list.length > 0) throw new QueryError(this.list)
  }
}
