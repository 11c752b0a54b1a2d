import Glibc
import Synchronization

enum Scene {
    /// A live picture, 640 × 360, showing the camera's name and the time.
    static func snapshot(_ camera: Camera, at time: Moment, quality: Int) -> [UInt8] {
        switch camera.fault {
        case .black: return plain(Canvas.black, at: time).jpeg(quality: quality)
        case .plain: return plain((60, 120, 60), at: time).jpeg(quality: quality)
        case .frozen, .stopped, nil: break
        }
        let time = camera.frozenAt ?? time
        var canvas = background(camera.number)
        let sky = time.fields
        canvas.fillEllipse(
            x: 20 + Int(sky.tm_min * 60 + sky.tm_sec) / 6, y: 62, width: 30, height: 30,
            (250, 220, 120))
        label(&canvas, camera.pictureName, time, scale: 2)
        return canvas.jpeg(quality: quality)
    }

    /// A picture of one colour, in which only the sensor's noise differs from second to second.
    private static func plain(_ color: Canvas.Color, at time: Moment) -> Canvas {
        var canvas = Canvas(width: 640, height: 360)
        canvas.fill(x: 0, y: 0, width: 640, height: 360, color)
        var generator = SeededGenerator(seed: UInt64(bitPattern: time.seconds))
        canvas.addNoise(2, &generator)
        return canvas
    }

    /// The picture of an event, 320 × 180.
    static func thumbnail(
        _ kind: Event.Kind?, camera number: Int, name: String, at time: Moment, frame: Int = 0
    ) -> [UInt8] {
        var canvas = background(number).halved()
        figure(of: kind, on: &canvas, x: 120 + frame * 12)
        label(&canvas, name, time, scale: 1)
        return canvas.jpeg(quality: 60)
    }

    private static func label(
        _ canvas: inout Canvas, _ name: String, _ time: Moment, scale: Int
    ) {
        let bar = 12 * scale
        canvas.fill(x: 0, y: 0, width: canvas.width, height: bar, Canvas.black)
        canvas.fill(x: 0, y: canvas.height - bar, width: canvas.width, height: bar, Canvas.black)
        canvas.write(name, x: 4 * scale, y: 2 * scale, scale: scale, Canvas.white)
        canvas.write(
            "\(time.stampText) UTC", x: 4 * scale, y: canvas.height - bar + 2 * scale,
            scale: scale, Canvas.white)
    }

    private static func figure(of kind: Event.Kind?, on canvas: inout Canvas, x: Int) {
        switch kind {
        case .person, .ring:
            canvas.fillEllipse(
                x: x + 8, y: 62, width: 16, height: 18, (224, 180, 150))
            canvas.fill(x: x + 4, y: 80, width: 24, height: 36, (150, 40, 40))
            canvas.fill(x: x + 6, y: 116, width: 8, height: 34, (40, 40, 60))
            canvas.fill(x: x + 18, y: 116, width: 8, height: 34, (40, 40, 60))
        case .vehicle, .licensePlate:
            canvas.fill(x: x + 20, y: 92, width: 60, height: 20, (150, 160, 170))
            canvas.fill(x: x, y: 112, width: 110, height: 24, (120, 130, 140))
            canvas.fillEllipse(x: x + 14, y: 126, width: 22, height: 22, Canvas.black)
            canvas.fillEllipse(x: x + 74, y: 126, width: 22, height: 22, Canvas.black)
        case .package:
            canvas.fill(x: x, y: 116, width: 46, height: 32, (176, 130, 80))
            canvas.fill(x: x + 20, y: 116, width: 6, height: 32, (220, 200, 150))
        case .animal:
            canvas.fillEllipse(x: x, y: 120, width: 50, height: 22, (170, 90, 30))
            canvas.fillEllipse(x: x + 42, y: 112, width: 18, height: 16, (170, 90, 30))
        case .motion, .manualTrigger, nil: break
        }
    }

    private static func background(_ number: Int) -> Canvas {
        if let canvas = backgrounds.withLock({ $0[number] }) { return canvas }
        let canvas = draw(number)
        backgrounds.withLock { $0[number] = canvas }
        return canvas
    }

    /// Drawing one takes longer than compressing it.
    private static let backgrounds = Mutex<[Int: Canvas]>([:])

    private static func draw(_ number: Int) -> Canvas {
        var generator = SeededGenerator(seed: UInt64(number) &+ 77)
        func shade(_ low: UInt8, _ high: UInt8) -> UInt8 {
            low + UInt8(generator.next() % UInt64(high - low))
        }
        var canvas = Canvas(width: 640, height: 360)
        let sky = (shade(90, 160), shade(130, 190), shade(170, 240))
        let ground = (shade(60, 120), shade(90, 140), shade(50, 90))
        canvas.fill(x: 0, y: 0, width: 640, height: 200, sky)
        canvas.fill(x: 0, y: 200, width: 640, height: 160, ground)
        for _ in 0..<3 {
            let x = Int(generator.next() % 560)
            let width = 80 + Int(generator.next() % 120)
            let height = 60 + Int(generator.next() % 80)
            let wall = (shade(120, 230), shade(100, 200), shade(80, 180))
            canvas.fill(x: x, y: 230 - height, width: width, height: height, wall)
            canvas.fill(x: x, y: 222 - height, width: width, height: 12, (90, 50, 40))
            canvas.fill(
                x: x + width / 3, y: 190, width: width / 5, height: 40, (70, 50, 40))
        }
        for _ in 0..<4 {
            let x = Int(generator.next() % 620)
            canvas.fill(x: x + 14, y: 230, width: 8, height: 30, (80, 55, 35))
            canvas.fillEllipse(
                x: x, y: 190, width: 36, height: 48, (30, shade(90, 150), 40))
        }
        canvas.addNoise(3, &generator)
        return canvas
    }
}
