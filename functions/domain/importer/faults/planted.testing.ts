import {
  BinaryOperationNode,
  ColumnNode,
  OperationNodeTransformer,
  OperatorNode,
  ReferenceNode,
  type KyselyPlugin,
} from 'kysely'
import type { Connection } from '#db/connect.ts'

/** A deliberate bug, implemented between the product and its database. */
export type PlantedBug = (connection: Connection) => Connection

/** Workers that lost their run may continue to write: `fence = mine` is always true. */
class Unfenced extends OperationNodeTransformer {
  protected override transformBinaryOperation(node: BinaryOperationNode): BinaryOperationNode {
    const { leftOperand: left, operator } = node
    const isFence =
      ReferenceNode.is(left) && ColumnNode.is(left.column) && left.column.column.name === 'fence'
    if (!isFence || !OperatorNode.is(operator) || operator.operator !== '=')
      return super.transformBinaryOperation(node)
    return BinaryOperationNode.create(left, operator, left)
  }
}

const unfenced: KyselyPlugin = {
  transformQuery: ({ node }) => new Unfenced().transformNode(node),
  transformResult: async ({ result }) => result,
}

export const disableFence: PlantedBug = (connection) => ({
  ...connection,
  transaction: (run) => connection.transaction((tx) => run(tx.withPlugin(unfenced) as typeof tx)),
})

/** Breaks atomicity: each statement of a transaction is committed by itself. */
export const splitTransaction: PlantedBug = (connection) => ({
  ...connection,
  transaction: (run) => run(connection.db as Parameters<typeof run>[0]),
})
