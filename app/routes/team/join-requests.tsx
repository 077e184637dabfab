import { Form } from '@remix-run/react'
import { ConfirmButton } from '#app/components/form/confirm-button.tsx'
import type { Option } from '#app/components/form/field.tsx'
import { Day } from '#app/components/list/time.tsx'

export interface JoinRequest {
  id: string
  userName: string
  email: string
  note: string
  createdAt: Date | string
}

export interface JoinRequestsProps {
  /** The pending ones, newest first. */
  requests: JoinRequest[]
  roles: readonly Option[]
}

/** The pending requests to join the organization; nothing without any. */
export function JoinRequests({ requests, roles }: JoinRequestsProps) {
  if (!requests.length) return null
  return (
    <section className="stack" aria-labelledby="join-requests">
      <h2 id="join-requests">They ask to join</h2>
      <ul className="list">
        {requests.map(({ id, userName, email, note, createdAt }) => (
          <li key={id} className="list-item">
            <div className="list-main">
              <p className="list-title">{userName}</p>
              <p className="list-note">
                {email}, asked <Day date={createdAt} />
              </p>
              {note ? <p className="list-note">{note}</p> : null}
            </div>
            <div className="list-actions">
              <Form method="post" className="row" preventScrollReset>
                <input type="hidden" name="id" value={id} />
                <select name="role" aria-label={`Role of ${userName}`} defaultValue="viewer">
                  {roles.map(({ value, label }) => (
                    <option key={value} value={value}>
                      {label}
                    </option>
                  ))}
                </select>
                <button className="button is-small is-primary" name="intent" value="letIn">
                  Let in<span className="sr-only"> {userName}</span>
                </button>
                <ConfirmButton
                  intent="refuseJoin"
                  question={`Refuse ${userName}?`}
                  text="An email tells them that they are not let in. They can ask again after a week."
                  answer="Refuse"
                  className="button is-small"
                >
                  Refuse<span className="sr-only"> {userName}</span>
                </ConfirmButton>
              </Form>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
