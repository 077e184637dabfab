import { ListedPart } from './listed-part.tsx'

interface AreaListProps {
  /** The first areas, in the order of the file. */
  areas: readonly { number: number; code: string; name: string }[]
  /** The number of all areas. */
  count: number
}

/** The codes and names of the areas of a set. */
export function AreaList({ areas, count }: AreaListProps) {
  return (
    <section aria-labelledby="areas" className="stack">
      <h2 id="areas">Areas</h2>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">Code</th>
            <th scope="col">Name</th>
          </tr>
        </thead>
        <tbody>
          {areas.map(({ number, code, name }) => (
            <tr key={number}>
              <td>{code}</td>
              <td dir="auto">{name}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <ListedPart listedCount={areas.length} count={count} />
    </section>
  )
}
