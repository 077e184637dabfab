import { compareNames } from '#functions/shapes/compareNames.ts'
export interface ExplainedRole {
  id: string
  name: string
  /** What it may do; what of it in part, and which part; and what not: in the words of the access table's groups. */
  may: string[]
  partly: { group: string; may: string[] }[]
  mayNot: string[]
}

export interface RolesExplainedProps {
  roles: ExplainedRole[]
  /** The role of the reader; null: they have none here. */
  own: string | null
}

/** What people of each role can do, and what they cannot. The reader's own role is open. */
export function RolesExplained({ roles, own }: RolesExplainedProps) {
  return (
    <section className="stack" aria-labelledby="roles">
      <h2 id="roles">What each role can do</h2>
      {[...roles].sort(byReach).map((role) => (
        <details key={role.id} className="disclosure" open={role.id === own}>
          <summary>
            {role.name} {role.id === own ? <span className="badge">You</span> : null}
          </summary>
          <div className="stack">
            {role.may.length ? <Can title="Can" things={role.may} /> : null}
            {role.partly.map(({ group, may }) => (
              <Can key={group} title={`${group}: only in part`} things={may} />
            ))}
            {role.mayNot.length ? <Can title="Cannot" things={role.mayNot} /> : null}
          </div>
        </details>
      ))}
    </section>
  )
}

/** Who can do most comes first. */
const byReach = (a: ExplainedRole, b: ExplainedRole) =>
  a.mayNot.length - b.mayNot.length || compareNames(a.name, b.name)

function Can({ title, things }: { title: string; things: string[] }) {
  return (
    <div>
      <h3 className="list-title">{title}</h3>
      <ul className="roles-can">
        {things.map((thing) => (
          <li key={thing}>{thing}</li>
        ))}
      </ul>
    </div>
  )
}
