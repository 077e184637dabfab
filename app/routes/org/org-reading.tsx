import { Link } from '@remix-run/react'
import { Facts } from '#app/components/list/facts.tsx'
import { Screen } from '#app/components/shell/screen.tsx'

export interface ReadOrganization {
  name: string
  displayName: string
  description: string
  publisher: string
  contact: string
  timeZone: string
  /** The names of its hub's languages, the own first. */
  languages: string[]
  /** Its main colour as hexadecimal; null: the product's own. */
  colour: string | null
  /** Where its hub answers; null: it has none. */
  hubUrl: string | null
  /** The region that its map shows; null: none is chosen. */
  region: string | null
}

/** What an organization is set up as, for who may not change it. */
export function OrgReading({ place }: { place: ReadOrganization }) {
  const { colour, hubUrl } = place
  return (
    <Screen
      isNarrow
      title={place.displayName}
      sub="How this organization is set up."
      actions={
        <Link className="button" to="/team">
          Team
        </Link>
      }
    >
      <Facts
        facts={[
          ['Full name', place.name],
          ['Description', place.description],
          ['Publisher', place.publisher],
          ['Contact', place.contact],
          ['Public hub', hubUrl ? <a href={hubUrl}>{hubUrl}</a> : 'None'],
          ['Languages of the hub', place.languages.join(', ')],
          ['Time zone', place.timeZone],
          ['Main colour', colour],
          ['Region of its map', place.region],
        ]}
      />
    </Screen>
  )
}
