import { expect, it } from 'vitest'
import { toStaticSpec } from './still.ts'

it('drops parameters, their dependants, tooltips and hover layers, and does not touch rows', () => {
  const rows = [{ params: 1, tooltip: 'kept', name: 'hover' }]
  const spec = {
    layer: [
      { name: 'hover', mark: 'point' },
      {
        data: { values: rows },
        params: [{ name: 'near' }],
        mark: { type: 'rect', tooltip: null, opacity: 1 },
        encoding: {
          opacity: { condition: { param: 'near', value: 1 }, value: 0.5 },
          x: { axis: { gridColor: { condition: { test: 'datum.value === 0', value: 'a' }, value: 'b' } } },
          tooltip: { field: 'tip' },
        },
      },
    ],
  }
  expect(toStaticSpec(spec)).toEqual({
    layer: [
      {
        data: { values: rows },
        mark: { type: 'rect', opacity: 1 },
        encoding: {
          x: { axis: { gridColor: { condition: { test: 'datum.value === 0', value: 'a' }, value: 'b' } } },
        },
      },
    ],
  })
})
