import { Link } from '@remix-run/react'
import { useContext, type ReactNode } from 'react'
import {
  countsText,
  describeActivity,
  isOfSelf,
  getTargetName,
  findTargetPath,
  groupActivities,
  type ActivityLine,
} from './words.ts'
import { dateFormat } from '../list/date-format.ts'
import { Clock, findDateLanguage } from '../list/time.tsx'
import { DateLocale, TimeZone } from '../list/time-zone.ts'

interface TrailLine extends ActivityLine {
  id: string
  at: Date | string
  targetName: string
  actorName: string | null
}

interface ActivityLogProps {
  lines: TrailLine[]
  /** Heading level of the days. */
  level?: 2 | 3
  /** Actions of an entry. */
  actions?: (line: TrailLine) => ReactNode
}

/** Activity entries in the given order, grouped by day in the time zone of the place. */
export function ActivityLog({ lines, level = 2, actions }: ActivityLogProps) {
  const timeZone = useContext(TimeZone)
  const locale = useContext(DateLocale)
  const day = dateFormat('long', locale, timeZone)
  const days = new Map<string, TrailLine[]>()
  for (const line of lines) {
    const name = day.format(new Date(line.at))
    days.set(name, [...(days.get(name) ?? []), line])
  }
  const Heading = `h${level}` as const
  return (
    <>
      {[...days].map(([name, dayLines]) => (
        <section key={name} className="stack">
          <Heading className="trail-day" lang={findDateLanguage(locale)} suppressHydrationWarning>
            {name}
          </Heading>
          <ol className="list">
            {groupActivities(dayLines).map(([line, ...others]) =>
              line ? (
                <li key={line.id} className="list-item trail-line">
                  <Clock date={line.at} />
                  <div className="list-main">
                    <p>
                      <strong>{line.actorName ?? 'Commonplace'}</strong> {describeActivity(line)}{' '}
                      {isOfSelf(line) ? null : <Name line={line} />}
                    </p>
                    <Counts line={line} />
                    {others.length ? (
                      <details className="disclosure">
                        <summary>{others.length + 1} times</summary>
                        <ul className="trail-times">
                          {others.map((other) => (
                            <li key={other.id} className="row">
                              <Clock date={other.at} />
                              {actions?.(other)}
                            </li>
                          ))}
                        </ul>
                      </details>
                    ) : null}
                  </div>
                  {actions ? <div className="list-actions">{actions(line)}</div> : null}
                </li>
              ) : null,
            )}
          </ol>
        </section>
      ))}
    </>
  )
}

function Name({ line }: { line: TrailLine }) {
  const to = findTargetPath(line)
  return to ? <Link to={to}>{getTargetName(line)}</Link> : <span>{getTargetName(line)}</span>
}

function Counts({ line }: { line: TrailLine }) {
  const text = countsText(line)
  return text ? <p className="list-note">{text}</p> : null
}
