/// What today's server says about its AI.
enum AIRoutes {
    static func costs(_ request: Request, _ state: inout State) -> Answer {
        let cap = state.settings.condition.costCap
        func period(_ name: Condition.CostCap, cost: Double) -> JSON {
            let word = name.rawValue
            let isReached = cap == name
            return .object([
                .init(name: "\(word)_cost", value: .number(cap == nil ? 0 : cost)),
                .init(name: "\(word)_cap", value: isReached ? .number(cost) : .null),
                .init(name: "\(word)_percent", value: .number(isReached ? 100 : 0)),
            ])
        }
        let pause: JSON = [
            "is_paused": .bool(cap != nil),
            "pause_reason": JSON(cap.map { "cost_cap_\($0.rawValue)" }),
        ]
        return .json(
            period(.daily, cost: 1.5).merging(period(.monthly, cost: 20)).merging(pause))
    }

    /// The circuit breakers of all providers; events are described by OpenAI's first.
    static func resilience(_ request: Request, _ state: inout State) -> Answer {
        let condition = state.settings.condition
        let names = ["default", "openai", "grok", "claude", "gemini"]
        let breakers = names.map { name in
            let hasFailed = name == "openai" && condition.undescribed > 0
            let isOpen = hasFailed && condition.isBreakerOpen
            let breaker: JSON = [
                "provider": .text(name),
                "config": [
                    "failure_threshold": 5, "recovery_timeout": 60.0, "half_open_max_calls": 1,
                    "failure_rate_threshold": 0.5, "minimum_calls_in_window": 6,
                    "window_duration_seconds": 60.0,
                ],
                "state": isOpen ? "open" : "closed", "failure_count": isOpen ? 5 : 0,
                "current_failure_rate": hasFailed
                    ? .number(Double(condition.undescribed) / 100) : nil,
                "recent_window_size": hasFailed ? 20 : 0,
                "last_failure_time": hasFailed ? .text(request.now.offsetText) : nil,
            ]
            return JSON.Member(name: name, value: breaker)
        }
        return .json(.object(breakers + [JSON.Member(name: "last_reset", value: .null)]))
    }
}
