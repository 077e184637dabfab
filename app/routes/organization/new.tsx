import { Link, useLoaderData } from '@remix-run/react'
import { actOnOrganization, newOrganizationScreen } from './new.server.ts'
import { ClosedPlaces } from './closed-places.tsx'
import { JoinForm } from './join-form.tsx'
import { OpenPlaces } from './open-places.tsx'
import { OwnPlaces } from './own-places.tsx'
import { OwnRequests } from './own-requests.tsx'
import { StartForm } from './start-form.tsx'
import { WaitingInvites } from '#app/components/list/waiting-invites.tsx'
import { Screen } from '#app/components/shell/screen.tsx'
import { useRoot } from '#app/root.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'

export const loader = newOrganizationScreen

export const action = actOnOrganization

export const meta = placeTitle('Your organization')

const done = {
  ask: 'Your request is on its way.',
  join: 'Your request is on its way.',
  withdraw: 'Your request is taken back.',
}

/** For people without an organization: create one, request one, or request to join one. */
export default function NewOrganization() {
  const {
    terms,
    requests,
    closed,
    isWaiting,
    invites,
    email,
    supportUrl,
    publicHost,
    wanted: target,
  } = useLoaderData<typeof loader>()
  const main = useRoot()?.main
  // Staff may work in every organization: these are no list to choose from.
  const isChoosing = main && main.place === null && !main.isPrivileged
  return (
    <Screen
      isNarrow
      title="Your organization"
      sub="Data, charts, stories and the public hub belong to an organization, and so do the people who work on them."
      done={done}
    >
      <WaitingInvites invites={invites} />
      {isChoosing ? <OwnPlaces places={main.places} to={target} /> : null}
      {closed.length ? (
        <section className="stack" aria-labelledby="closed">
          <h2 id="closed">Closed</h2>
          <ClosedPlaces places={closed} />
        </section>
      ) : null}
      <OpenPlaces places={terms.open} email={email} />
      <StartForm
        // Remounts the form after submission.
        key={isWaiting ? 'waiting' : 'open'}
        {...{ terms, isWaiting, email, supportUrl, publicHost }}
      />
      {terms.may === 'start' ? (
        <p>
          Or make one <Link to="/organization/archive">from an archive</Link> of another installation.
        </p>
      ) : null}
      <JoinForm key={`join ${requests.length}`} publicHost={publicHost} />
      <OwnRequests requests={requests} />
    </Screen>
  )
}
