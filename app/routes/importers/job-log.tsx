import { Clock } from '#app/components/list/time.tsx'
import { useLog } from './use-log.ts'

export interface LogLine {
  at: string | Date
  level: 'debug' | 'info' | 'warn' | 'error'
  message: string
  row?: number
  url?: string
}

/** The badges of lines that ask for attention; none for others. */
const badges: Partial<Record<LogLine['level'], { look: string; label: string }>> = {
  warn: { look: 'is-warning', label: 'Warning' },
  error: { look: 'is-danger', label: 'Error' },
}

export interface JobLogProps {
  /** The first lines. */
  lines: LogLine[]
  path: string
  /** Whether it is initially open. */
  isOpen: boolean
  /** Whether the run continues, so that lines are added. */
  isGoingOn: boolean
}

/** The log of a run, updated while it runs. */
export function JobLog({ lines: loadedLines, path, isOpen, isGoingOn }: JobLogProps) {
  const lines = useLog(loadedLines, path, isGoingOn)
  return (
    <details className="disclosure" open={isOpen}>
      <summary>Log, {lines.length === 1 ? 'one line' : `${lines.length} lines`}</summary>
      <ol className="log">
        {lines.map(({ at, level, message, row, url }, i) => (
          <li key={i}>
            <span className="muted">
              <Clock date={at} isExact />
            </span>
            <LevelBadge level={level} />
            <span className="anywhere">
              {message}
              {row === undefined ? null : ` (row ${row})`}
              {url === undefined ? null : <span className="muted"> {url}</span>}
            </span>
          </li>
        ))}
      </ol>
      <p>
        <a href={path}>All of it as JSON</a>
      </p>
    </details>
  )
}

function LevelBadge({ level }: Pick<LogLine, 'level'>) {
  const badge = badges[level]
  return badge ? <span className={`badge ${badge.look}`}>{badge.label}</span> : null
}
