import { Form } from '@remix-run/react'
import { Day } from '#app/components/list/time.tsx'

export interface SessionLine {
  id: string
  device: string
  ipPrefix: string | null
  lastSeenAt: Date | string
  current: boolean
}

/** The person's sessions, with buttons to end all but this one. */
export function Sessions({ sessions }: { sessions: SessionLine[] }) {
  return (
    <section className="stack" aria-labelledby="sessions">
      <h2 id="sessions">Where you are signed in</h2>
      <ul className="list">
        {sessions.map((session) => (
          <li key={session.id} className="list-item">
            <div className="list-main">
              <div className="list-title">
                {session.device}{' '}
                {session.current ? <span className="badge is-success">This device</span> : null}
              </div>
              <div className="list-note">
                {session.ipPrefix ? `Network ${session.ipPrefix}, last` : 'Last'} seen{' '}
                <Day date={session.lastSeenAt} />
              </div>
            </div>
            {session.current ? null : (
              <Form method="post" className="list-actions">
                <input type="hidden" name="id" value={session.id} />
                <button className="button is-small" name="intent" value="endSession">
                  Sign out<span className="sr-only"> {session.device}</span>
                </button>
              </Form>
            )}
          </li>
        ))}
      </ul>
      <div className="button-group">
        {sessions.length > 1 ? (
          <Form method="post">
            <button className="button" name="intent" value="endOthers">
              Sign out everywhere else
            </button>
          </Form>
        ) : null}
        <Form method="post" action="/logout">
          <button className="button" name="intent" value="logout">
            Sign out on this device
          </button>
        </Form>
      </div>
    </section>
  )
}
