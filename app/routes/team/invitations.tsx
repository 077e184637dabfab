import { Form } from '@remix-run/react'
import { RoleForm } from './role-form.tsx'
import { ConfirmButton } from '#app/components/form/confirm-button.tsx'
import { SelectField, TextField, type Option } from '#app/components/form/field.tsx'
import { FormError } from '#app/components/form/form-error.tsx'
import type { RefusedForm } from '#app/components/form/issues.ts'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import { Day } from '#app/components/list/time.tsx'

export interface Invitation {
  id: string
  email: string
  role: string
  status: string
  inviterName: string | null
  sentAt: Date | string
  expiresAt: Date | string
}

export interface InvitationsProps {
  /** Those that wait or have run out, the last sent first. */
  invites: Invitation[]
  roles: readonly Option[]
  refused: RefusedForm | undefined
  given: Record<string, string> | undefined
}

/** The invitations that wait, and the form that makes one. */
export function Invitations({ invites, roles, refused, given }: InvitationsProps) {
  return (
    <section className="stack" aria-labelledby="invitations">
      <h2 id="invitations">Invitations</h2>
      {invites.length ? (
        <ul className="list">
          {invites.map((invite) => (
            <li key={invite.id} className="list-item">
              <div className="list-main">
                <p className="list-title">{invite.email}</p>
                <p className="list-note truncate">
                  Sent <Day date={invite.sentAt} />
                  {invite.inviterName ? ` by ${invite.inviterName}` : ''},{' '}
                  {invite.status === 'expired' ? 'ran out' : 'runs out'} <Day date={invite.expiresAt} />
                </p>
              </div>
              <div className="list-actions">
                {invite.status === 'expired' ? <span className="badge is-warning">Expired</span> : null}
                <RoleForm
                  intent="inviteRole"
                  id={invite.id}
                  name={invite.email}
                  role={invite.role}
                  roles={roles}
                />
                <Form method="post" className="button-group" preventScrollReset>
                  <input type="hidden" name="id" value={invite.id} />
                  <button className="button is-small" name="intent" value="resend">
                    Send again<span className="sr-only"> to {invite.email}</span>
                  </button>
                  <ConfirmButton
                    intent="revoke"
                    question={`Take the invitation of ${invite.email} back?`}
                    text="The link in the letter stops working."
                    answer="Take back"
                  >
                    Take back<span className="sr-only"> the invitation of {invite.email}</span>
                  </ConfirmButton>
                </Form>
              </div>
            </li>
          ))}
        </ul>
      ) : (
        <p className="muted">No invitation waits.</p>
      )}
      <Form method="post" className="form" id="invite" key={invites.length} preventScrollReset>
        <h3>Invite someone</h3>
        <FormError refused={refused} names={['email', 'role']} />
        <div className="field-row">
          <TextField
            label="E-mail"
            name="email"
            type="email"
            required
            autoComplete="off"
            defaultValue={given?.email}
            refused={refused}
          />
          <SelectField
            label="Role"
            name="role"
            options={roles}
            defaultValue={given?.role ?? 'member'}
            refused={refused}
          />
        </div>
        <div className="form-actions">
          <SubmitButton intent="invite" doing="Inviting…">
            Send the invitation
          </SubmitButton>
        </div>
      </Form>
    </section>
  )
}
