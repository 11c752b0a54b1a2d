/// The rows of a server's list, each with the server's own object, and how many could not be read.
package struct ListedRows<Value: Sendable>: Sendable {
    private var rows: [(value: Value, view: JSONView)]
    /// How many elements of the list were no such rows.
    package let unreadableRows: Int

    /// Reads the elements of a list; `read` returns nil for what is no such row.
    package init(_ elements: some Collection<JSONView>, read: (JSONView) -> Value?) {
        rows = elements.compactMap { view in read(view).map { ($0, view) } }
        unreadableRows = elements.count - rows.count
    }

    /// The rows without the server's objects.
    package var values: [Value] { rows.map(\.value) }

    /// The rows with their values changed.
    package func mapValues(_ change: (Value) -> Value) -> ListedRows {
        var changed = self
        for index in rows.indices { changed.rows[index].value = change(rows[index].value) }
        return changed
    }
}

extension ListedRows: RandomAccessCollection {
    package var startIndex: Int { rows.startIndex }
    package var endIndex: Int { rows.endIndex }

    package subscript(position: Int) -> (value: Value, view: JSONView) { rows[position] }
}
