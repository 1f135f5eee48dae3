// The elections on SimGrid: a node is an actor with a mailbox. With unit delays links have a latency of 1 and messages
// no bytes, which is cheaper; for random delays links carry a byte a second and messages have a random part of a byte.
// No message overtakes another on its link. Arguments: ring or grid,
// unit or uniform delays, a file with an id a line. Said at the end: the leader's node, how many nodes know it,
// messages sent, CPU seconds of the election.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <random>
#include <simgrid/s4u.hpp>
#include <string>
#include <vector>

namespace sg4 = simgrid::s4u;

struct Message {
    bool announce;
    long id;
};

static bool grid, uniform;
static int diameter;
static long sent;
static std::vector<long> ids, told;
static std::vector<sg4::Mailbox*> boxes;

static double seconds() {
    timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec + now.tv_nsec / 1e9;
}

static std::vector<int> neighbours(int node) {
    int nodes = ids.size(), side = std::lround(std::sqrt(nodes));
    if (not grid)
        return {(node + 1) % nodes};
    std::vector<int> near;
    int row = node / side, column = node % side;
    if (row > 0) near.push_back(node - side);
    if (column > 0) near.push_back(node - 1);
    if (column + 1 < side) near.push_back(node + 1);
    if (row + 1 < side) near.push_back(node + side);
    return near;
}

class Node {
    int number;
    long own;
    std::vector<sg4::Mailbox*> out;
    double last = 0;

    void send(Message message) {
        static std::mt19937_64 chance(1);
        double bytes = 0;
        if (uniform) {
            double now = sg4::Engine::get_clock();
            last = std::max(last, now + std::uniform_real_distribution<>(0, 1)(chance));
            bytes = last - now;
        }
        for (auto* box : out) {
            box->put_init(new Message(message), bytes)->detach();
            sent++;
        }
    }

    Message receive() {
        auto* got = boxes[number]->get<Message>();
        Message message = *got;
        delete got;
        return message;
    }

    void chang_roberts() {
        send({false, own});
        for (;;) {
            Message got = receive();
            if (got.announce) {
                told[number] = got.id;
                if (got.id != own)
                    send(got);
                return;
            }
            if (got.id >= own)
                send({got.id == own, got.id});
        }
    }

    void floodmax() {
        long best = own;
        for (int round = 0; round < diameter; round++) {
            send({false, best});
            for (std::size_t heard = 0; heard < out.size(); heard++)
                best = std::max(best, receive().id);
        }
        told[number] = best;
    }

public:
    explicit Node(int number) : number(number), own(ids[number]) {
        for (int to : neighbours(number))
            out.push_back(boxes[to]);
    }

    void operator()() {
        boxes[number]->set_receiver(sg4::Actor::self());
        sg4::this_actor::sleep_for(1);
        grid ? floodmax() : chang_roberts();
    }
};

int main(int argc, char** argv) {
    sg4::Engine engine(&argc, argv);
    grid = std::string(argv[1]) == "grid";
    uniform = std::string(argv[2]) == "uniform";
    std::ifstream file(argv[3]);
    for (long id; file >> id;)
        ids.push_back(id);
    told.resize(ids.size());
    diameter = 2 * (std::lround(std::sqrt(ids.size())) - 1);

    auto* zone = sg4::create_full_zone("zone");
    auto* host = zone->create_host("host", 1e9);
    auto* link = zone->create_link("link", uniform ? 1 : 1e9)->set_latency(uniform ? 0 : 1)
                     ->set_sharing_policy(sg4::Link::SharingPolicy::FATPIPE)->seal();
    zone->add_route(host->get_netpoint(), host->get_netpoint(), nullptr, nullptr, {sg4::LinkInRoute(link)}, false);
    zone->seal();
    for (std::size_t node = 0; node < ids.size(); node++)
        boxes.push_back(sg4::Mailbox::by_name(std::to_string(node)));
    for (std::size_t node = 0; node < ids.size(); node++)
        sg4::Actor::create("node", host, Node(node));
    engine.run_until(0.5);
    double begun = seconds();
    engine.run();
    double passed = seconds() - begun;
    long most = *std::max_element(ids.begin(), ids.end());
    long leader = std::find(ids.begin(), ids.end(), most) - ids.begin();
    std::printf("%ld %ld %ld %.6f\n", leader, (long)std::count(told.begin(), told.end(), most), sent, passed);
}
