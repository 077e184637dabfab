import { Form } from '@remix-run/react'
import { RoleForm } from './role-form.tsx'
import { ConfirmButton } from '#app/components/form/confirm-button.tsx'
import { ShortForm } from '#app/components/form/edit-form.tsx'
import { SelectField, TextField, type Option } from '#app/components/form/field.tsx'
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
  /** Pending and expired ones, the most recently sent first. */
  invites: Invitation[]
  roles: readonly Option[]
}

/** The pending and expired invitations, and the form for a new one. */
export function Invitations({ invites, roles }: InvitationsProps) {
  return (
    <section className="stack" aria-labelledby="invitations">
      <h2 id="invitations">Invitations</h2>
      {invites.length ? (
        <ul className="list">
          {invites.map((invite) => (
            <li key={invite.id} id={`invite-${invite.id}`} className="list-item">
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
                    text="The link in the email stops working."
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
      <ShortForm
        id="invite"
        key={invites.length}
        preventScrollReset
        names={['email', 'role']}
        saved={{ role: 'member' }}
        save={{ intent: 'invite', label: 'Send the invitation', doing: 'Inviting…' }}
      >
        <h3>Invite someone</h3>
        <div className="field-row">
          <TextField label="E-mail" name="email" type="email" required autoComplete="off" />
          <SelectField label="Role" name="role" options={roles} />
        </div>
      </ShortForm>
    </section>
  )
}
