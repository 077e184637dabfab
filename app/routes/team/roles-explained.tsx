import { compareNames } from '#functions/shapes/compare-names.ts'
export interface ExplainedRole {
  id: string
  name: string
  /**
   * Permissions by group of the access table: groups that it may use fully, in part (with that part), and not
   * at all.
   */
  may: string[]
  partly: { group: string; may: string[] }[]
  mayNot: string[]
}

export interface RolesExplainedProps {
  roles: ExplainedRole[]
  /** The role of the reader; null without one in this organization. */
  own: string | null
}

/** The permissions of each role. The reader's own role is expanded. */
export function RolesExplained({ roles, own }: RolesExplainedProps) {
  return (
    <section className="stack" aria-labelledby="roles">
      <h2 id="roles">What each role can do</h2>
      {[...roles].sort(compareRoles).map((role) => (
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

/** Orders roles with the most permissions first. */
const compareRoles = (a: ExplainedRole, b: ExplainedRole) =>
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
