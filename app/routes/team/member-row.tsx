import { Form } from '@remix-run/react'
import { RoleForm } from './role-form.tsx'
import { ConfirmButton } from '#app/components/form/confirm-button.tsx'
import type { Option } from '#app/components/form/field.tsx'
import { Day } from '#app/components/list/time.tsx'
import { Avatar } from '#app/components/shell/avatar.tsx'

export interface Member {
  id: string
  name: string
  image: string | null
  role: string | null
  createdAt: Date | string
  email?: string | undefined
}

export interface MemberRowProps {
  person: Member
  roles: readonly Option[]
  /** Whether the reader may change roles and remove people. */
  mayChange: boolean
  isSelf: boolean
}

/** A member of the organization. Everyone may leave; only admins change others. */
export function MemberRow({ person, roles, mayChange, isSelf }: MemberRowProps) {
  const role = roles.find(({ value }) => value === person.role)?.label ?? person.role
  return (
    <li className="list-item">
      <Avatar name={person.name} image={person.image} />
      <div className="list-main">
        <p className="list-title">
          {person.name} {isSelf ? <span className="badge">You</span> : null}
        </p>
        <p className="list-note truncate">
          {person.email ? `${person.email}, ` : ''}here since <Day date={person.createdAt} />
        </p>
      </div>
      <div className="list-actions">
        {mayChange ? (
          <RoleForm
            intent="role"
            id={person.id}
            name={person.name}
            role={person.role}
            roles={roles}
            mayBeNone
          />
        ) : (
          <span className="badge">{role ?? 'No role'}</span>
        )}
        {mayChange || isSelf ? (
          <Form method="post" preventScrollReset>
            <input type="hidden" name="id" value={person.id} />
            <ConfirmButton
              intent={isSelf ? 'leave' : 'remove'}
              question={isSelf ? 'Leave this organization?' : `Remove ${person.name} from the team?`}
              text={
                isSelf
                  ? 'You see what is public from then on. Only an admin can bring you back.'
                  : 'They lose access at once. What they made stays.'
              }
              answer={isSelf ? 'Leave' : 'Remove'}
              className="button is-small"
            >
              {isSelf ? 'Leave' : 'Remove'}
              <span className="sr-only"> {isSelf ? 'this organization' : person.name}</span>
            </ConfirmButton>
          </Form>
        ) : null}
      </div>
    </li>
  )
}
