import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { HandOver } from './hand-over.tsx'
import { findHeirs } from './heirs.server.ts'
import { Invitations } from './invitations.tsx'
import { JoinRequests } from './join-requests.tsx'
import { MemberRow } from './member-row.tsx'
import { explainRoles } from './explain-roles.server.ts'
import { RolesExplained } from './roles-explained.tsx'
import { ActionError } from '#app/components/form/form-error.tsx'
import { List } from '#app/components/list/list.tsx'
import { byName, newest, type ListOffer } from '#app/components/list/list-query.ts'
import { Screen } from '#app/components/shell/screen.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { handleFormKeepingValues } from '#app/server/form-values.server.ts'
import { listRequest } from '#app/server/list.server.ts'
import { load } from '#app/server/load.server.ts'
import { guard, hasPermission } from '#app/server/session.server.ts'
import { v1 } from '#functions/v1/index.ts'

const offer: ListOffer = {
  sorts: { name: byName, created: newest },
  filters: { role: { label: 'Role' } },
}

const waiting = {
  filters: { status: { $in: ['pending', 'expired'] } },
  orderings: [{ value: { field: 'sentAt' }, direction: 'desc' }],
  limit: 200,
}

const unanswered = { filters: { status: 'pending' }, limit: 200 }

/**
 * Loads the members of the organization, and for those with permission the invitations and pending requests.
 */
export async function loader(args: LoaderFunctionArgs) {
  const { user } = guard(args, 'withPlace')
  const { ctx } = args.context
  const { options, ...list } = await listRequest(args, offer)
  const mayInvite = hasPermission(ctx, 'invite.create')
  const [{ people, roles }, invites, requests, heirs] = await Promise.all([
    load(args, {
      people: { endpoint: v1.place.user.find, options },
      roles: { endpoint: v1.role.find, options: { filters: { scope: 'place' }, limit: 200 } },
    }),
    mayInvite
      ? load(args, { found: { endpoint: v1.place.invite.find, options: waiting } })
      : Promise.resolve(null),
    hasPermission(ctx, 'joinRequest.read')
      ? load(args, { found: { endpoint: v1.place.joinRequest.find, options: unanswered } })
      : Promise.resolve(null),
    findHeirs(args),
  ])
  return {
    list: { ...list, total: people.meta.total },
    people: people.results,
    roles: roles.results.map(({ id, name }) => ({ value: id, label: name })),
    explained: explainRoles(roles.results),
    ownRole: ctx.actor.memberships.find(({ placeId }) => placeId === ctx.placeId)?.role ?? null,
    invites: invites?.found.results ?? null,
    requests: requests?.found.results ?? [],
    mayChange: hasPermission(ctx, 'placeUser.update'),
    heirs,
    userId: user.id,
  }
}

export function action(args: ActionFunctionArgs) {
  const { user, invite, joinRequest } = v1.place
  return handleFormKeepingValues(args, (formValues) => {
    const personParams = { userId: formValues.id ?? '' }
    const joinRequestParams = { joinRequestId: formValues.id ?? '' }
    const inviteParams = { inviteId: formValues.id ?? '' }
    return {
      role: {
        endpoint: user.updateById,
        params: personParams,
        data: () => ({ role: formValues.role || null }),
      },
      remove: { endpoint: user.deleteById, params: personParams },
      leave: { endpoint: user.deleteById, params: personParams, then: () => '/' },
      invite: { endpoint: invite.create, data: () => ({ email: formValues.email, role: formValues.role }) },
      inviteRole: {
        endpoint: invite.updateById,
        params: inviteParams,
        data: () => ({ role: formValues.role }),
      },
      resend: { endpoint: invite.resend, params: inviteParams },
      handOver: {
        endpoint: user.handOver,
        params: personParams,
        data: () => ({ role: formValues.role || null }),
        then: () => '/',
      },
      letIn: {
        endpoint: joinRequest.accept,
        params: joinRequestParams,
        data: () => ({ role: formValues.role }),
      },
      refuseJoin: { endpoint: joinRequest.refuse, params: joinRequestParams, data: () => ({}) },
      revoke: { endpoint: invite.deleteById, params: inviteParams },
    }
  })
}

export const meta = placeTitle('Team')

const done = {
  role: 'The role is changed.',
  remove: 'Removed from the team.',
  invite: 'Invited. An email is on its way.',
  inviteRole: 'The invitation is changed.',
  resend: 'Sent again, with a new link.',
  revoke: 'The invitation is taken back.',
  letIn: 'They belong to the team now. An email tells them.',
  refuseJoin: 'Refused. An email tells them.',
}

export default function Team() {
  const { list, people, roles, explained, ownRole, invites, requests, mayChange, heirs, userId } =
    useLoaderData<typeof loader>()
  return (
    <Screen
      title="Team"
      sub="Who works in this organization, and what each may do."
      actions={
        invites ? (
          <a className="button is-primary" href="#invite">
            Invite someone
          </a>
        ) : null
      }
      done={done}
    >
      <ActionError besides={['invite', 'handOver']} />
      <JoinRequests requests={requests} roles={roles} />
      <List
        {...{ offer, list }}
        noun="people"
        visibleCount={people.length}
        choices={{ role: roles }}
        noResults={{ text: 'No one fits what you are looking for.', all: 'Show everyone' }}
        empty={{ title: 'No one is here yet', text: 'Invite the people you work with.' }}
      >
        <ul className="list">
          {people.map((person) => (
            <MemberRow
              key={person.id}
              person={person}
              roles={roles}
              mayChange={mayChange}
              isSelf={person.id === userId}
            />
          ))}
        </ul>
      </List>
      {invites ? <Invitations invites={invites} roles={roles} /> : null}
      <RolesExplained roles={explained} own={ownRole} />
      {heirs ? (
        <HandOver heirs={heirs} roles={roles.filter(({ value }) => value !== 'organization_admin')} />
      ) : null}
    </Screen>
  )
}
