import { getReadOnlyMembers, reads, restores } from '../crud.ts'
import { endpoint } from '#functions/api/endpoint.ts'
import * as sets from '#functions/domain/boundary/sets.ts'
import {
  BoundarySetAreaOptions,
  BoundarySetAreaRow,
  BoundarySetChanges,
  BoundarySetOptions,
  BoundarySetRow,
  NewBoundarySet,
  NewEdition,
  OfferedOptions,
  OfferedSets,
} from '#functions/shapes/boundary-set.ts'
import { Deleted, buildListShape } from '#functions/shapes/returns.ts'

/** An organization's own boundaries: districts, wards, school areas. */
export const boundarySet = {
  offered: endpoint({
    allow: 'boundarySet.read',
    http: { method: 'get' },
    options: OfferedOptions,
    returns: OfferedSets,
    summary:
      'The sets that maps of a place can be coloured by: its public ones, and those that everyone has; a search of two letters also finds public ones of others',
    run: sets.findOffered,
  }),
  ...reads('boundarySet.read', BoundarySetOptions, sets, BoundarySetRow),
  create: endpoint({
    allow: 'boundarySet.create',
    data: NewBoundarySet,
    multipart: true,
    heavy: true,
    returns: BoundarySetRow,
    summary:
      'Bring in areas: a file of a form (GeoJSON, TopoJSON, KML, KMZ, GeoPackage, FlatGeobuf, GeoParquet or a zip with a Shapefile, 25 MB), or GeoJSON in the body',
    run: sets.create,
  }),
  updateById: endpoint({
    allow: 'boundarySet.update',
    data: BoundarySetChanges,
    readOnly: getReadOnlyMembers(BoundarySetRow, BoundarySetChanges, sets.findById),
    returns: BoundarySetRow,
    run: sets.updateById,
  }),
  replace: endpoint({
    allow: 'boundarySet.update',
    http: { method: 'post', one: true },
    data: NewEdition,
    multipart: true,
    heavy: true,
    returns: BoundarySetRow,
    summary: 'Put the areas of another file in the place of those a set has',
    run: sets.replace,
  }),
  deleteById: endpoint({ allow: 'boundarySet.delete', returns: Deleted, run: sets.deleteById }),
  ...restores('boundarySet.delete', sets, BoundarySetRow),
  '.geojson': endpoint({
    allow: 'boundarySet.read',
    http: { method: 'get', one: true },
    stream: true,
    heavy: true,
    media: ['application/geo+json'],
    summary: 'All areas of a set in full detail',
    run: sets.geojson,
  }),
  area: {
    find: endpoint({
      allow: 'boundarySet.read',
      options: BoundarySetAreaOptions,
      returns: buildListShape(BoundarySetAreaRow),
      summary: 'The areas of a set, without their borders; of a set that everyone has too',
      run: sets.findAreas,
    }),
  },
}
