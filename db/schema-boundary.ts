import type { ColumnType, Generated } from 'kysely'
import type {
  BoundarySetField,
  BoundarySetFinding,
  BoundarySetNesting,
  SetTiles,
} from '#functions/shapes/boundary-set.ts'
import type { Json, RowColumns, Visibility } from './schema-columns.ts'

/** The tables of boundaries: shared ones, and those of organizations. */
export interface BoundaryTables {
  boundary: BoundaryTable
  boundarySet: BoundarySetTable
  boundarySetArea: BoundarySetAreaTable
}

interface BoundaryTable {
  id: string
  code: string
  name: string
  type: 'country' | 'state' | 'county'
  parentId: string | null
  /** GeoJSON text in, PostGIS geometry inside: read with ST_AsGeoJSON. */
  area: ColumnType<string, unknown, unknown>
  hasAllStatesBoundary: Generated<boolean>
}

interface BoundarySetTable extends RowColumns {
  id: string
  placeId: string
  name: string
  notes: Generated<string>
  origin: Generated<string>
  licence: Generated<string>
  vintage: Generated<string>
  visibility: Visibility
  /** The attribute that names an area; null: its number does. */
  nameField: string | null
  codeField: string | null
  edition: Generated<number>
  areaCount: number
  vertexCount: number
  bounds: Json<[west: number, south: number, east: number, north: number]>
  fields: Json<BoundarySetField[]>
  findings: Json<BoundarySetFinding[]>
  /** The total number, of which `findings` has the first. */
  findingCount: number
  /** The parent set in the same place, whose areas contain its own. */
  parentId: string | null
  nesting: Json<BoundarySetNesting> | null
  /** The archive of its tiles; null: there is none, as for sets that are not public. */
  tiles: Json<SetTiles> | null
  /** When its tiles are due to be built; null: they are not. */
  tilesDueAt: Date | null
}

/** One area of a set. Those of the set's `edition` are its areas. */
interface BoundarySetAreaTable {
  boundarySetId: string
  placeId: string
  edition: number
  number: number
  code: string
  name: string
  attributes: Json<Record<string, string>>
  /** Of PostGIS; read and written by its functions only. */
  area: string
}
